package dev.inboxd.console.view;

import dev.inboxd.base.access.Permission;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** What a new key may do, in the words of a person. */
public enum KeyPreset {
    READ("Read only", Set.of()),
    DRAFTS(
            "Agent: read, write drafts, no sending",
            Set.of(
                    Permission.MESSAGE_UPDATE,
                    Permission.DRAFT_CREATE,
                    Permission.DRAFT_UPDATE,
                    Permission.DRAFT_DELETE)),
    AGENT(
            "Agent: read, reply and send",
            Set.of(
                    Permission.MESSAGE_UPDATE,
                    Permission.MESSAGE_SEND,
                    Permission.MESSAGE_REPLY,
                    Permission.DRAFT_CREATE,
                    Permission.DRAFT_UPDATE,
                    Permission.DRAFT_DELETE,
                    Permission.DRAFT_SEND,
                    Permission.CALENDAR_EVENT_CREATE,
                    Permission.CALENDAR_EVENT_UPDATE,
                    Permission.CALENDAR_EVENT_DELETE)),
    APPROVER(
            "Approver: read, approve and release",
            Set.of(Permission.MESSAGE_UPDATE, Permission.DRAFT_APPROVE, Permission.MESSAGE_RELEASE));

    private static final Set<Permission> READING = Set.of(
            Permission.INBOX_READ,
            Permission.MESSAGE_READ,
            Permission.DRAFT_READ,
            Permission.CALENDAR_READ,
            Permission.CALENDAR_EVENT_READ);

    private final String words;

    @SuppressWarnings("ImmutableEnumChecker") // a set that cannot be changed
    private final Set<Permission> more;

    KeyPreset(String words, Set<Permission> more) {
        this.words = words;
        this.more = more;
    }

    /** What a form calls it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** What a person reads. */
    public String words() {
        return words;
    }

    /** The flags of the API, in their order. */
    public List<String> flags() {
        Set<Permission> all = EnumSet.copyOf(READING);
        all.addAll(more);
        return all.stream().map(Permission::wireName).toList();
    }
}
