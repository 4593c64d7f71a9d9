package dev.inboxd.sending.feedback;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The believed reports in one received message. */
public record RecipientReports(List<RecipientReport> all) {
    /** No reports: the message is no report, or is not believed. */
    public static final RecipientReports NONE = new RecipientReports(List.of());

    public RecipientReports {
        all = List.copyOf(all);
    }

    /** The reports about mail of one organization. */
    public List<RecipientReport> of(UUID organization) {
        return all.stream()
                .filter(report -> report.organization().equals(organization))
                .toList();
    }

    /**
     * The inboxes that store the received message: those it is addressed to, and the inbox whose message it reports on
     * if the option {@code feedback_enabled} of its domain is on; otherwise not that inbox (identity.md §11.4).
     *
     * @param addressed the inboxes it is addressed to, by organization
     * @return the inboxes by organization, with every organization a report is about; its list may be empty
     */
    public Map<UUID, List<UUID>> withReportedInboxes(Map<UUID, List<UUID>> addressed) {
        if (all.isEmpty()) {
            return addressed;
        }
        Map<UUID, List<UUID>> placed = new LinkedHashMap<>();
        addressed.forEach((organization, inboxes) -> placed.put(organization, new ArrayList<>(inboxes)));
        for (RecipientReport report : all) {
            List<UUID> inboxes = placed.computeIfAbsent(report.organization(), _ -> new ArrayList<>());
            UUID inbox = report.mail().inbox();
            if (inbox != null && !report.mail().wantsReports()) {
                inboxes.remove(inbox);
            } else if (inbox != null && !inboxes.contains(inbox)) {
                inboxes.add(inbox);
            }
        }
        return placed;
    }
}
