package dev.inboxd.base.error;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Every error code of the API with its HTTP status, its legacy name and its general remedy. Clients branch on the code
 * alone (identity.md §3.2); the name keeps older values.
 */
public enum ErrorCode {
    MISSING_AUTHORIZATION(401, "UnauthorizedError", Remedy.HEADER),
    INVALID_TOKEN_TYPE(401, "UnauthorizedError", "Use an API key, which starts with inb_, instead of a session token."),
    UNKNOWN_API_KEY(401, "UnauthorizedError", Remedy.HEADER),
    API_KEY_EXPIRED(401, "UnauthorizedError", "An expiry cannot be extended. Create a new key."),
    UNAUTHORIZED(401, "UnauthorizedError", Remedy.HEADER),
    PAYMENT_REQUIRED(402, "PaymentRequiredError", "Sign one of the offers, and repeat the call with the payment."),
    MISSING_PERMISSION(403, "ForbiddenError", null),
    PERMISSION_ESCALATION(403, "ForbiddenError", "Ask only for permissions that the calling key holds."),
    UNRESTRICTED_KEY_REQUIRED(403, "ForbiddenError", "Repeat the call with a key that was stored without permissions."),
    FORBIDDEN(403, "ForbiddenError", null),
    RESOURCE_TAKEN(403, "IsTakenError", "Choose another value."),
    LIMIT_EXCEEDED(403, "LimitExceededError", null),
    DOMAIN_NOT_VERIFIED(
            403,
            "DomainNotVerifiedError",
            "Read the domain's DNS records with GET /v0/domains/{domain}, publish them, then POST …/verify."),
    MESSAGE_REJECTED(403, "MessageRejectedError", null),
    INBOX_PAUSED(
            403,
            "InboxPausedError",
            "Resume the inbox: PATCH it with status \"active\", using a key that holds inbox_update."),
    VALIDATION_ERROR(400, "ValidationError", "Correct the members listed in errors and repeat the call."),
    QUERY_RANGE_TOO_WIDE(400, "ValidationError", "Ask for a shorter range or a longer period."),
    NOT_FOUND(404, "NotFoundError", "Check the id, and that the key's scope and permissions cover it."),
    MISDIRECTED_REQUEST(
            421,
            "MisdirectedRequestError",
            "Call the server at the address that it prints when it starts, or at INBOXD_PUBLIC_URL."),
    UNPROCESSABLE(422, "UnprocessableError", null),
    ALREADY_EXISTS(409, "AlreadyExistsError", null),
    PAYMENT_PENDING(
            409,
            "PaymentPendingError",
            "Repeat the same request with the same payment in some seconds, to hear how it ended. Do not pay again."),
    CONFLICT(409, "ConflictError", "Wait a moment, then repeat the identical request."),
    RACE_CONDITION(409, "ConflictError", "Fetch the resource again and repeat the change."),
    RESOURCE_DELETING(409, "ConflictError", "The resource is being deleted. Use another one."),
    CANNOT_DELETE(409, "ConflictError", null),
    IDEMPOTENCY_CONFLICT(409, "ConflictError", "Use a new client_id, or repeat the original request."),
    EVENT_STARTING(409, "ConflictError", "Retry shortly."),
    EVENT_ALREADY_STARTED(409, "ConflictError", null),
    EVENT_IN_PROGRESS(409, "ConflictError", null),
    FUTURE_EDIT_START_MOVE_NOT_SUPPORTED(409, "ConflictError", null),
    RECURRENCE_DENSITY_LIMIT(409, "ConflictError", null),
    MATERIALIZATION_FAILED(409, "ConflictError", null),
    PAGE_TOKEN_STALE(409, "ConflictError", "Start again without page_token."),
    CALENDAR_RESPONSE_INVALID(409, "ConflictError", null),
    CALENDAR_INBOX_REQUIRED(409, "ConflictError", null),
    EVENT_EXPIRED(410, "GoneError", null),
    PRECONDITION_FAILED(412, "PreconditionFailedError", "Read the resource again and retry with its new etag."),
    UPGRADE_REQUIRED(426, "UpgradeRequiredError", "Open a WebSocket (RFC 6455) to this path."),
    PRECONDITION_REQUIRED(428, "PreconditionRequiredError", "Send the resource's etag in If-Match."),
    PAYLOAD_TOO_LARGE(413, "PayloadTooLargeError", "Send a smaller body."),
    RATE_LIMIT_EXCEEDED(429, "RateLimitError", Remedy.BACK_OFF),
    INTERNAL_ERROR(500, "InternalServerError", Remedy.BACK_OFF),
    SERVICE_UNAVAILABLE(503, "ServiceUnavailableError", Remedy.BACK_OFF),
    MOVED(
            503,
            "MovedError",
            "Nothing is answered here any more. Ask the operator for the new address of the service; keys and ids"
                    + " stay.");

    private final int status;
    private final String legacyName;
    private final @Nullable String fix;

    ErrorCode(int status, String legacyName, @Nullable String fix) {
        this.status = status;
        this.legacyName = legacyName;
        this.fix = fix;
    }

    /** The HTTP status (ruling 6 decides the grouped ones). */
    public int status() {
        return status;
    }

    /** The {@code name} member, an older label that clients must not branch on. */
    public String legacyName() {
        return legacyName;
    }

    /** The general remedy, or null when it depends on the case. */
    public @Nullable String fix() {
        return fix;
    }

    /** The code in JSON, in snake_case. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    private static final class Remedy {
        static final String HEADER = "Send the header \"Authorization: Bearer <api_key>\". Keys start with inb_ and are"
                + " created with POST /v0/api-keys or in the console.";
        static final String BACK_OFF = "Retry with exponential backoff and honour Retry-After.";
    }
}
