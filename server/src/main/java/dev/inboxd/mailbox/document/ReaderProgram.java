package dev.inboxd.mailbox.document;

import dev.inboxd.mailbox.attachment.TextFormat;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The program of the reader process. Its input is a format, a length and a document, repeated until the input ends. Its
 * output is an octet when the program is ready, and for each document the length of the text and the text. Started by
 * {@link ReaderProcess} alone.
 */
public final class ReaderProgram {
    /** In place of the length of a text, of a document that cannot be read. */
    static final int UNREADABLE = -1;

    private ReaderProgram() {}

    /** Reads documents until the input ends. */
    public static void main(String[] arguments) throws IOException {
        DataInputStream in = new DataInputStream(new BufferedInputStream(System.in));
        DataOutputStream out = new DataOutputStream(new FileOutputStream(FileDescriptor.out));
        // Output of libraries must not get between the answers.
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        System.setOut(nowhere);
        System.setErr(nowhere);
        out.writeByte(1);
        out.flush();
        try {
            while (true) {
                TextFormat format = TextFormat.valueOf(in.readUTF());
                byte[] document = new byte[in.readInt()];
                in.readFully(document);
                byte[] text = text(format, document);
                out.writeInt(text == null ? UNREADABLE : text.length);
                out.write(text == null ? new byte[0] : text);
                out.flush();
            }
        } catch (EOFException done) {
            out.close();
        }
    }

    /** The text of a document; null for every document that cannot be read. */
    private static byte @Nullable [] text(TextFormat format, byte[] document) {
        try {
            return TextExtractor.text(format, document).getBytes(StandardCharsets.UTF_8);
        } catch (Exception | StackOverflowError unreadable) {
            return null;
        }
    }
}
