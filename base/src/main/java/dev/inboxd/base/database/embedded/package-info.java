/**
 * Our own launcher for the PostgreSQL 18 that inboxd brings along.
 *
 * <p>One call, {@link dev.inboxd.base.database.embedded.EmbeddedPostgres#start}, turns an empty folder into a
 * durable, password-protected, supervised server on the loopback address. Everything it owns lies in the data folder
 * and is named by {@link dev.inboxd.base.database.embedded.Layout}; a cold copy of that folder is a backup. Nothing
 * here knows about schema or SQL of the service.
 */
@NullMarked
package dev.inboxd.base.database.embedded;

import org.jspecify.annotations.NullMarked;
