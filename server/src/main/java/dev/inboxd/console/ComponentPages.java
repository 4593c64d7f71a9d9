package dev.inboxd.console;

import dev.inboxd.console.session.ConsolePages;
import java.util.Map;

/** Every component of the console in each of its states, for those who make pages: see {@code docs/console.md}. */
final class ComponentPages {
    void mount(ConsolePages pages) {
        pages.page("/components", visit -> visit.page("components", "components/Components", Map.of()));
    }
}
