/**
 * Large octet strings outside the database: message bodies and attachments. {@link dev.inboxd.base.blob.Blobs} has
 * two forms, a folder ({@code FileBlobs}) and S3 ({@code S3Blobs}), chosen by one URL.
 *
 * <p>A blob is written before the row that names it is committed, so a row without its blob cannot be; a blob without a
 * row is garbage, which retention finds with {@link dev.inboxd.base.blob.Blobs#walk} and deletes.
 */
@NullMarked
package dev.inboxd.base.blob;

import org.jspecify.annotations.NullMarked;
