package dev.inboxd.mail.recurrence;

import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.time.zone.ZoneRulesProvider;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Zone rules of a release to come, given to a process by {@code java.time.zone.DefaultZoneRulesProvider}: New York
 * keeps its summer time from March 2027 on. Of the years before it knows 2026.
 */
public final class LastingSummer extends ZoneRulesProvider {
    private static final String NEW_YORK = "America/New_York";
    private static final ZoneOffset WINTER = ZoneOffset.ofHours(-5);
    private static final ZoneOffset SUMMER = ZoneOffset.ofHours(-4);

    private static final ZoneRules RULES = ZoneRules.of(
            WINTER,
            WINTER,
            List.of(),
            Stream.of("2026-03-08T02:00", "2026-11-01T02:00", "2027-03-14T02:00")
                    .map(LocalDateTime::parse)
                    .map(wall -> wall.getMonthValue() == 3
                            ? ZoneOffsetTransition.of(wall, WINTER, SUMMER)
                            : ZoneOffsetTransition.of(wall, SUMMER, WINTER))
                    .toList(),
            List.of());

    @Override
    protected Set<String> provideZoneIds() {
        return Set.of(NEW_YORK);
    }

    @Override
    protected ZoneRules provideRules(String zoneId, boolean forCaching) {
        return RULES;
    }

    @Override
    protected NavigableMap<String, ZoneRules> provideVersions(String zoneId) {
        return new TreeMap<>(Map.of("2027a", RULES));
    }
}
