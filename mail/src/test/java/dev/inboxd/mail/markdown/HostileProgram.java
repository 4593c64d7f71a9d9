package dev.inboxd.mail.markdown;

import dev.inboxd.mail.reply.MailKind;
import java.util.Map;

/** Writes each hostile body, and says so: run with little memory, it ends where one takes too much. */
final class HostileProgram {
    private HostileProgram() {}

    /** Takes no arguments. */
    public static void main(String[] arguments) {
        HostileBodies.all().forEach((name, html) -> {
            try {
                MarkdownSource source = new MarkdownSource(null, null, null, html.get(), MailKind.ANSWER, Map.of());
                MailMarkdown.write(source, MarkdownForms.USUAL, new MarkdownWindow(0, Long.MAX_VALUE));
            } catch (OutOfMemoryError exhausted) {
                System.out.println(name + ": " + exhausted.getMessage());
            }
        });
        System.out.println("all");
    }
}
