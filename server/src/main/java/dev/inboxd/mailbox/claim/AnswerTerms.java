package dev.inboxd.mailbox.claim;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Under which terms a message may join a thread (mail.md §18.2, §18.3).
 *
 * @param claim the claim that its sender shows, or null
 * @param keepsClaim whether the claim goes on after the message
 * @param ifUnanswered whether a second answer is refused; null: as its inbox has it
 * @param original the public id of the message that it answers or forwards; null where its references say it
 * @param draft the draft that becomes it, or null
 * @param credential the key or session that sends it; null when its time has come
 */
public record AnswerTerms(
        Kind kind,
        @Nullable String claim,
        boolean keepsClaim,
        @Nullable Boolean ifUnanswered,
        @Nullable String original,
        @Nullable UUID draft,
        @Nullable UUID credential) {
    /** What binds no claim, and is no answer. */
    public static final AnswerTerms NONE = new AnswerTerms(Kind.UNRELATED, null, false, null, null, null, null);

    /** What a message is to the thread that it joins. */
    public enum Kind {
        /** A claim binds it. */
        ANSWER,
        /** An answer that somebody approved: the claim that it was given with has ended since. */
        APPROVED,
        /** Only a claim that it shows matters. */
        FORWARD,
        /** A calendar's answer, and all that is nobody's. */
        UNRELATED
    }

    /** An answer that says nothing else. */
    public static AnswerTerms answer(@Nullable Boolean ifUnanswered, @Nullable UUID credential) {
        return new AnswerTerms(Kind.ANSWER, null, false, ifUnanswered, null, null, credential);
    }

    /** The same terms for whoever sends it. */
    public AnswerTerms by(@Nullable UUID sender) {
        return new AnswerTerms(kind, claim, keepsClaim, ifUnanswered, original, draft, sender);
    }

    /** The same terms for what answers or forwards that message. */
    public AnswerTerms of(Kind newKind, @Nullable String message) {
        return new AnswerTerms(newKind, claim, keepsClaim, ifUnanswered, message, draft, credential);
    }

    /** Whether a thread is asked about at all. */
    public boolean matters() {
        return kind != Kind.UNRELATED && (kind != Kind.FORWARD || claim != null || Boolean.TRUE.equals(ifUnanswered));
    }
}
