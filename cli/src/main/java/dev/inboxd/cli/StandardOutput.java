package dev.inboxd.cli;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Standard output of a command, in UTF-8 whatever the locale. Java's own passes over what cannot be written, and a
 * script would go on with an empty file.
 */
public final class StandardOutput extends OutputStream {
    private static final int FAILED = 1;
    private static final int BUFFER = 8 * 1024;

    private final OutputStream out;
    private final boolean isAll;
    private volatile @Nullable IOException failure;

    /**
     * An output.
     *
     * @param isAll whether the command does nothing but print, so that it ends when nobody reads any more
     */
    StandardOutput(OutputStream out, boolean isAll) {
        this.out = out;
        this.isAll = isAll;
    }

    /** Replaces that of this process; {@code isAll} as above. */
    public static StandardOutput install(boolean isAll) {
        StandardOutput output = new StandardOutput(new FileOutputStream(FileDescriptor.out), isAll);
        System.setOut(new PrintStream(new BufferedOutputStream(output, BUFFER), true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8));
        return output;
    }

    @Override
    public void write(int octet) {
        write(new byte[] {(byte) octet}, 0, 1);
    }

    @Override
    public void write(byte[] octets, int offset, int length) {
        if (failure != null) {
            return;
        }
        try {
            out.write(octets, offset, length);
        } catch (IOException failed) {
            failure = failed;
            if (isAll) { // without hooks: one that prints would wait for this very stream
                Runtime.getRuntime().halt(status(0));
            }
        }
    }

    /**
     * The status with which the process ends, once everything is printed. Whoever reads has what he wants when he
     * closes, as head does: that is no failure.
     *
     * @param status of the command
     */
    public int status(int status) {
        IOException failed = failure;
        if (failed == null || String.valueOf(failed.getMessage()).contains("Broken pipe")) {
            return status;
        }
        System.err.println("inboxd: the output cannot be written: " + failed.getMessage());
        return status == 0 ? FAILED : status;
    }
}
