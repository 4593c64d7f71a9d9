package dev.inboxd.base.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SortedLinesTest {
    @Test
    void linesComeInTheirOrderAndEachOnce() {
        assertThat(sorted(List.of("b", "a", "b", "c", "a"))).containsExactly("a", "b", "c");
        assertThat(sorted(List.of())).isEmpty();
    }

    /** More than are sorted in memory, and more files than are read at a time. */
    @Test
    void manyLinesComeInTheirOrder() {
        int count = 700_000;
        try (SortedLines lines = new SortedLines()) {
            for (int i = 0; i < count; i++) {
                lines.add(line((int) ((long) i * 7_919 % count)));
            }
            lines.add(line(5));
            try (SortedLines.Cursor cursor = lines.sorted()) {
                int next = 0;
                for (String line = cursor.next(); line != null; line = cursor.next()) {
                    assertThat(line).isEqualTo(line(next++));
                }
                assertThat(next).isEqualTo(count);
            }
        }
    }

    private static String line(int number) {
        return String.valueOf(1_000_000 + number);
    }

    private static List<String> sorted(List<String> added) {
        List<String> found = new ArrayList<>();
        try (SortedLines lines = new SortedLines()) {
            added.forEach(lines::add);
            try (SortedLines.Cursor cursor = lines.sorted()) {
                for (String line = cursor.next(); line != null; line = cursor.next()) {
                    found.add(line);
                }
            }
        }
        return found;
    }
}
