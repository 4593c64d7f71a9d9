package dev.inboxd.base.io;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Lines in the order of their characters, each once, however many: some are in memory, all others in files for their
 * owner alone, which go when this is closed. What is compared in this order needs no list of all. Not thread-safe.
 */
public final class SortedLines implements AutoCloseable {
    /** How many lines are sorted in memory. */
    private static final int RUN = 20_000;
    /** How many files are read at a time. */
    private static final int MERGED = 32;

    private final Deque<Path> files = new ArrayDeque<>();
    private final List<Cursor> open = new ArrayList<>();
    private List<String> run = new ArrayList<>();

    /** Adds a line, which has no end of line in it. */
    public void add(String line) {
        run.add(line);
        if (run.size() == RUN) {
            flush();
        }
    }

    /** The lines in their order; none is added any more. To be called once. */
    public Cursor sorted() {
        if (files.isEmpty()) {
            Collections.sort(run);
            Cursor cursor = new Cursor(List.of(), run);
            run = List.of();
            return cursor;
        }
        flush();
        while (files.size() > MERGED) {
            List<Path> group = new ArrayList<>();
            for (int i = 0; i < MERGED; i++) {
                group.add(files.removeFirst());
            }
            files.addLast(merged(group));
        }
        Cursor cursor = new Cursor(List.copyOf(files), List.of());
        open.add(cursor);
        return cursor;
    }

    private void flush() {
        Collections.sort(run);
        files.addLast(written(new Cursor(List.of(), run)));
        run = new ArrayList<>();
    }

    private Path merged(List<Path> group) {
        try (Cursor cursor = new Cursor(group, List.of())) {
            return written(cursor);
        } finally {
            group.forEach(SortedLines::delete);
        }
    }

    private static Path written(Cursor cursor) {
        try {
            Path file = Files.createTempFile("inboxd-sorted", ".lines"); // for its owner alone
            try (Writer out = Files.newBufferedWriter(file)) {
                for (String line = cursor.next(); line != null; line = cursor.next()) {
                    out.write(line);
                    out.write('\n');
                }
            } catch (IOException | UncheckedIOException failure) {
                delete(file);
                throw failure;
            }
            return file;
        } catch (IOException full) {
            throw new UncheckedIOException("Names cannot be sorted in " + System.getProperty("java.io.tmpdir"), full);
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException left) {
            throw new UncheckedIOException(left);
        }
    }

    @Override
    public void close() {
        open.forEach(Cursor::close);
        files.forEach(SortedLines::delete);
    }

    /** Goes through lines in their order. */
    public static final class Cursor implements AutoCloseable {
        private final List<BufferedReader> readers = new ArrayList<>();
        private final PriorityQueue<Head> heads = new PriorityQueue<>(Comparator.comparing(Head::line));
        private final Deque<String> memory;
        private @Nullable String last;

        private record Head(String line, BufferedReader reader) {}

        private Cursor(List<Path> files, List<String> memory) {
            this.memory = new ArrayDeque<>(memory);
            try {
                for (Path file : files) {
                    BufferedReader reader = Files.newBufferedReader(file);
                    readers.add(reader);
                    advance(reader);
                }
            } catch (IOException failure) {
                close();
                throw new UncheckedIOException(failure);
            }
        }

        /** The next line, or null behind the last one. */
        public @Nullable String next() {
            String line = raw();
            while (line != null && line.equals(last)) {
                line = raw();
            }
            last = line;
            return line;
        }

        private @Nullable String raw() {
            Head head = heads.poll();
            if (head == null) {
                return memory.poll();
            }
            try {
                advance(head.reader);
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
            return head.line;
        }

        private void advance(BufferedReader reader) throws IOException {
            String line = reader.readLine();
            if (line != null) {
                heads.add(new Head(line, reader));
            }
        }

        @Override
        public void close() {
            for (BufferedReader reader : readers) {
                try {
                    reader.close();
                } catch (IOException failure) {
                    throw new UncheckedIOException(failure);
                }
            }
        }
    }
}
