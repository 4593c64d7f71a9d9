/**
 * Large octet strings outside the database: message bodies and attachments. {@link dev.inboxd.platform.blob.Blobs} has
 * two implementations, a folder ({@code FileBlobs}) and S3 ({@code S3Blobs}); a URL selects one.
 *
 * <p>A blob is written before the row that names it is committed, so a row never lacks its blob. A blob without a row
 * is garbage: {@link dev.inboxd.platform.blob.Blobs#walk} finds it, and the features that own the rows delete it.
 */
@NullMarked
package dev.inboxd.platform.blob;

import org.jspecify.annotations.NullMarked;
