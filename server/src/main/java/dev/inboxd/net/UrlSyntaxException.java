package dev.inboxd.net;

/** A text is no URL that this service asks for. */
final class UrlSyntaxException extends Exception {
    private static final long serialVersionUID = 1;

    private final TargetCheck.Reason reason;
    private final String explanation;

    UrlSyntaxException(TargetCheck.Reason reason, String explanation) {
        super(explanation, null, false, false);
        this.reason = reason;
        this.explanation = explanation;
    }

    TargetCheck.Invalid refusal() {
        return new TargetCheck.Invalid(reason, explanation);
    }
}
