package dev.inboxd.sending.feedback;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** What a mail that arrived says about mail that was sent. */
public record RecipientReports(List<RecipientReport> all) {
    /** Of a mail that is no report, or is not believed. */
    public static final RecipientReports NONE = new RecipientReports(List.of());

    public RecipientReports {
        all = List.copyOf(all);
    }

    /** What concerns an organization. */
    public List<RecipientReport> of(UUID organization) {
        return all.stream()
                .filter(finding -> finding.organization().equals(organization))
                .toList();
    }

    /**
     * Where the mail belongs: into the inbox whose message it reports on, or not into it, as its domain's option
     * {@code feedback_enabled} says (identity.md §11.4); beside that, where it is addressed to.
     *
     * @param addressed by organization
     * @return with every organization that is concerned, perhaps without an inbox
     */
    public Map<UUID, List<UUID>> withReportedInboxes(Map<UUID, List<UUID>> addressed) {
        if (all.isEmpty()) {
            return addressed;
        }
        Map<UUID, List<UUID>> placed = new LinkedHashMap<>();
        addressed.forEach((organization, inboxes) -> placed.put(organization, new ArrayList<>(inboxes)));
        for (RecipientReport finding : all) {
            List<UUID> inboxes = placed.computeIfAbsent(finding.organization(), _ -> new ArrayList<>());
            UUID inbox = finding.mail().inbox();
            if (inbox != null && !finding.mail().wantsReports()) {
                inboxes.remove(inbox);
            } else if (inbox != null && !inboxes.contains(inbox)) {
                inboxes.add(inbox);
            }
        }
        return placed;
    }
}
