/**
 * Backups of an installation in a folder or a bucket, taken while it runs, and what is made from them
 * (docs/decisions/0075-backups-by-chunks.md). A backup is a {@link dev.inboxd.backup.Manifest} that names chunks of
 * rows by their digests, and blobs by their keys; both are stored once, whatever number of backups names them.
 */
@NullMarked
package dev.inboxd.backup;

import org.jspecify.annotations.NullMarked;
