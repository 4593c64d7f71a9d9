/**
 * Copies of an installation's database: into chunks that a backup stores, and into another database.
 *
 * <p>{@link dev.inboxd.base.database.copy.Snapshot#of} takes a moment of a running database and
 * {@link dev.inboxd.base.database.copy.Snapshot#read} reads one table of it after another, in the order of the
 * primary key, as chunks of some MB. Chunks are cut where a digest of a key says so, so that a later snapshot has the
 * same chunks again but where rows changed. {@link dev.inboxd.base.database.copy.CopyTarget#begin} makes the tables
 * in an empty database as the source had them, {@code write} writes one chunk and leaves alone what is there already,
 * {@code migrate} brings the tables to this program's version, and {@code complete} lets a service start on them. In
 * between both sides may be killed; begun again with the same source, a copy goes on.
 * {@link dev.inboxd.base.database.copy.DatabaseCopy} does this from database to database, pass after pass, and
 * compares the two at the end by counts and digests.
 *
 * <p>Decided in one place each: which tables travel ({@code TableRules}), which columns are sealed
 * ({@code SealedColumns}), which types keys have ({@code KeyText}). No blob is copied here; {@code Snapshot.blobs}
 * names them.
 */
@NullMarked
package dev.inboxd.base.database.copy;

import org.jspecify.annotations.NullMarked;
