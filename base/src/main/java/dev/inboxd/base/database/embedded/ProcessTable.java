package dev.inboxd.base.database.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What the system tells of running processes. What it does not tell, of another user's for example, is empty. */
sealed interface ProcessTable {
    /** The table of this system: Linux has it in {@code /proc}, elsewhere Java knows the most of it. */
    static ProcessTable current() {
        return Files.isDirectory(Path.of("/proc/self")) ? new Proc() : new Handles();
    }

    /** The arguments of a process, the program first. Command lines are bytes of any charset: see {@link #bytes}. */
    List<String> commandLine(long processId);

    /** The file of its program. */
    Path program(ProcessHandle process);

    /** Its working folder. */
    Path workingFolder(ProcessHandle process);

    /** Whether there is a process of that number, one that has ended and was not waited for included. */
    boolean has(long processId);

    /** A text as it stands in {@link #commandLine}, in which each byte is a character. */
    static String bytes(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    /** The folders of Linux (proc(5)). */
    record Proc() implements ProcessTable {
        @Override
        public List<String> commandLine(long processId) {
            try {
                Path commandLine = Path.of("/proc/" + processId + "/cmdline");
                return List.of(Files.readString(commandLine, StandardCharsets.ISO_8859_1)
                        .split("\0"));
            } catch (IOException e) {
                return List.of(); // no such process
            }
        }

        @Override
        public Path program(ProcessHandle process) {
            return link(process, "exe");
        }

        @Override
        public Path workingFolder(ProcessHandle process) {
            return link(process, "cwd");
        }

        @Override
        public boolean has(long processId) {
            return Files.exists(Path.of("/proc/" + processId));
        }

        private static Path link(ProcessHandle process, String name) {
            try {
                return Files.readSymbolicLink(Path.of("/proc/" + process.pid() + "/" + name));
            } catch (IOException e) {
                return Path.of(""); // it has ended, or belongs to another user
            }
        }
    }

    /** What Java tells of processes on every system; no working folders. */
    record Handles() implements ProcessTable {
        @Override
        public List<String> commandLine(long processId) {
            List<String> line = new ArrayList<>();
            ProcessHandle.of(processId).map(ProcessHandle::info).ifPresent(info -> {
                info.command().ifPresent(command -> line.add(ProcessTable.bytes(command)));
                info.arguments()
                        .ifPresent(arguments ->
                                List.of(arguments).forEach(argument -> line.add(ProcessTable.bytes(argument))));
            });
            return line;
        }

        @Override
        public Path program(ProcessHandle process) {
            return process.info().command().map(Path::of).orElse(Path.of(""));
        }

        @Override
        public Path workingFolder(ProcessHandle process) {
            return Path.of("");
        }

        @Override
        public boolean has(long processId) {
            return ProcessHandle.of(processId).isPresent();
        }
    }
}
