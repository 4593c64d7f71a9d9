package dev.inboxd.base.io;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Objects;

/**
 * Why a file or folder cannot be used, in words. Java tells it by the class of the exception, whose message is often
 * the path alone.
 */
public final class FileFailure {
    private FileFailure() {}

    /** The cause, to follow a colon. */
    public static String words(IOException failure) {
        String path =
                failure instanceof FileSystemException named ? Objects.requireNonNullElse(named.getFile(), "") : "";
        return switch (failure) {
            case AccessDeniedException _ ->
                "the account " + System.getProperty("user.name") + " has no right to use " + path;
            case FileAlreadyExistsException _ -> kind(path);
            case NotDirectoryException _ -> kind(path);
            case NoSuchFileException _ -> "there is no " + path + ", and it cannot be made";
            case FileSystemException systemFailure ->
                reason(path, Objects.requireNonNullElse(systemFailure.getReason(), "an error of the file system"));
            default -> reason(path, Objects.requireNonNullElse(failure.getMessage(), "an error of the file system"));
        };
    }

    private static String reason(String path, String reason) {
        return switch (reason) {
            case "No space left on device" -> "the disk is full";
            case "Disk quota exceeded" -> "the account's share of the disk is used up";
            case "Read-only file system" -> "the disk can only be read, not written";
            case "Not a directory" -> kind(path);
            default -> path.isEmpty() || reason.contains(path) ? reason : path + ": " + reason;
        };
    }

    /** Which part of the path is no folder. */
    private static String kind(String path) {
        for (Path part = Path.of(path); part != null; part = part.getParent()) {
            if (Files.exists(part)) {
                return Files.isDirectory(part) ? part + " is there already" : part + " is a file, not a folder";
            }
        }
        return path + " is not a folder";
    }
}
