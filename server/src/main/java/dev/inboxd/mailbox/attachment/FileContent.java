package dev.inboxd.mailbox.attachment;

import dev.inboxd.mail.compose.AttachmentContent;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** The content of an attachment in a file. */
record FileContent(Path file, long length) implements AttachmentContent {
    @Override
    public InputStream open() throws IOException {
        return Files.newInputStream(file);
    }
}
