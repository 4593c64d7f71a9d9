package dev.inboxd.app.registry;

import java.util.Locale;

/** What an app is for: the filter of lists. */
public enum AppCategory {
    AI,
    SEARCH,
    SCRAPING,
    BROWSER,
    DATA,
    DEVELOPER_TOOLS,
    COMMUNICATION,
    PRODUCTIVITY,
    PAYMENTS,
    FINANCE,
    COMMERCE,
    MARKETING,
    ANALYTICS,
    SECURITY,
    INFRASTRUCTURE,
    OTHER;

    /** The name in the database and in answers. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
