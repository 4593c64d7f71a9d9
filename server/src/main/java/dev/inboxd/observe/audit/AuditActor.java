package dev.inboxd.observe.audit;

import dev.inboxd.base.access.Caller;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Who changed something.
 *
 * @param id of the key or of the session; null for the operator
 * @param account that paid; null for others
 */
public record AuditActor(
        Type type, @Nullable UUID id, @Nullable String account, AuditSource source) {
    /** An actor that did not pay. */
    public AuditActor(Type type, @Nullable UUID id, AuditSource source) {
        this(type, id, null, source);
    }

    /** The kinds of actors. */
    public enum Type {
        API_KEY("api_key"),
        USER("user"),
        PAYER("payer"),
        OPERATOR("operator");

        private final String wireName;

        Type(String wireName) {
            this.wireName = wireName;
        }

        static Type ofWire(String word) {
            return Stream.of(values())
                    .filter(type -> type.wireName.equals(word))
                    .findFirst()
                    .orElse(OPERATOR);
        }

        /** The name in answers and in the rows. */
        public String wireName() {
            return wireName;
        }
    }

    /** The operator, by a command. */
    public static final AuditActor OPERATOR = new AuditActor(Type.OPERATOR, null, AuditSource.NONE);

    /** The caller of a request. */
    public static AuditActor of(Caller caller, AuditSource source) {
        UUID id = caller.credential().id();
        return switch (caller.credential()) {
            case Caller.Credential.Key _ -> new AuditActor(Type.API_KEY, id, source);
            case Caller.Credential.Session _ -> new AuditActor(Type.USER, id, source);
            case Caller.Credential.Operator _ -> new AuditActor(Type.OPERATOR, null, source);
            case Caller.Credential.Payer payer -> new AuditActor(Type.PAYER, id, payer.account(), source);
        };
    }
}
