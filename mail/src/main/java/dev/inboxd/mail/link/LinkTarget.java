package dev.inboxd.mail.link;

import org.jspecify.annotations.Nullable;

/** Where a link of a mail leads (markdown.md §3). */
public final class LinkTarget {
    private LinkTarget() {}

    /**
     * The target of a link: normalized, without what tracks its reader. Nothing is fetched.
     *
     * @param address as the mail has it
     * @return null when it is no absolute address of a kind that is shown
     */
    public static @Nullable String of(String address) {
        return address.startsWith("http") || address.startsWith("mailto:") ? address : null;
    }
}
