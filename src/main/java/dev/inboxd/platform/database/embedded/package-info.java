/**
 * Launcher for the PostgreSQL 18 that inboxd ships with.
 *
 * <p>One call, {@link dev.inboxd.platform.database.embedded.EmbeddedPostgres#start}, turns an empty folder into a
 * durable, password-protected, supervised server on the loopback address. All its files are in the data folder, at the
 * paths of {@link dev.inboxd.platform.database.embedded.Layout}; a cold copy of that folder is a backup.
 *
 * <p>Callers: the server, {@code doctor} and tests. Nothing here knows the schema or the SQL of the service.
 */
@NullMarked
package dev.inboxd.platform.database.embedded;

import org.jspecify.annotations.NullMarked;
