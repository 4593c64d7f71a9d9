package dev.inboxd.cli.mail;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A call of the description, as a command has it.
 *
 * @param resource the first word of its command
 * @param verb the second
 * @param id the operation id
 * @param method of HTTP
 * @param path with the names of its parameters in braces
 * @param media the media type of its body; empty for none
 * @param items the member of the answer that holds the items of a page; empty when the answer has no pages
 * @param isOpen whether it takes no key
 * @param summary what it does
 * @param flags parameters and members of the body
 */
record MailOperation(
        String resource,
        String verb,
        String id,
        String method,
        String path,
        String media,
        String items,
        boolean isOpen,
        String summary,
        List<MailFlag> flags) {
    private static final long USUAL_PAGE = 100;

    /** The most items of one page of its answers. */
    long mostOfPage() {
        return flags.stream()
                .filter(flag -> flag.member().equals("limit") && flag.most() > 0)
                .mapToLong(MailFlag::most)
                .findFirst()
                .orElse(USUAL_PAGE);
    }

    /** Names of the parameters of the path. */
    Set<String> pathMembers() {
        Set<String> names = new LinkedHashSet<>();
        for (String part : path.split("/", -1)) {
            if (part.startsWith("{")) {
                names.add(part.substring(1, part.length() - 1));
            }
        }
        return names;
    }
}
