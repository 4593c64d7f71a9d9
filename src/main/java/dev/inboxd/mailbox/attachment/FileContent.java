package dev.inboxd.mailbox.attachment;

import dev.inboxd.mail.compose.AttachmentContent;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Bytes in a file. */
record FileContent(Path file, long length) implements AttachmentContent {
    @Override
    public InputStream open() throws IOException {
        return Files.newInputStream(file);
    }
}
