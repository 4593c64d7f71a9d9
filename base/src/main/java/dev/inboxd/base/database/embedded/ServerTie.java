package dev.inboxd.base.database.embedded;

import java.util.ArrayList;
import java.util.List;

/**
 * How a server ends with the process that started it, however that ends, and does not hear what the terminal sends to
 * that one. Either way the process that is started becomes the server, with its process id.
 */
enum ServerTie {
    /** By a signal of the kernel at the death of the parent (Linux, prctl(2)), in a session of its own. */
    BY_SIGNAL {
        @Override
        List<String> command(List<String> account, List<String> server) {
            List<String> command = new ArrayList<>(List.of("setsid"));
            command.addAll(account);
            // Last in the chain, because changing the user clears the death signal (prctl(2), PR_SET_PDEATHSIG).
            command.addAll(List.of("setpriv", "--pdeathsig", "INT"));
            command.addAll(server);
            return command;
        }
    },
    /**
     * By a watcher that reads from a pipe, whose other end only the parent has: it closes with the parent, and the
     * watcher sends the signal. For systems without such a signal, and without a program {@code setsid}; Perl has that
     * call.
     */
    BY_PIPE {
        @Override
        List<String> command(List<String> account, List<String> server) {
            List<String> command = new ArrayList<>(account);
            command.addAll(List.of("perl", "-MPOSIX=setsid", "-e", "setsid(); exec @ARGV or exit 127"));
            // $$ is the shell, in the watcher too, and the shell becomes the server.
            command.addAll(List.of(
                    "sh",
                    "-c",
                    "exec 3<&0; { read -r end <&3; kill -INT $$; } </dev/null >/dev/null 2>&1 &"
                            + " exec \"$@\" </dev/null 3<&-",
                    "sh"));
            command.addAll(server);
            return command;
        }
    };

    /**
     * The command line of a server.
     *
     * @param account beginning of a command that runs as the server's account, may be empty
     * @param server the program and its arguments
     */
    abstract List<String> command(List<String> account, List<String> server);

    /** Whether the server's standard input is a pipe from this process, held open as long as the server is to live. */
    boolean usesInput() {
        return this == BY_PIPE;
    }
}
