/**
 * The application: it constructs the services from the settings, mounts their routes, starts and stops everything in
 * order, and runs retention. Nothing else constructs them.
 */
@NullMarked
package dev.inboxd.server;

import org.jspecify.annotations.NullMarked;
