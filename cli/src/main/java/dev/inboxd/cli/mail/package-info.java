/**
 * {@code inboxd mail}: the calls of the service as commands, made from its description, and the few that people want on
 * top. A client over HTTP like any other: it uses nothing of a server that runs.
 */
@NullMarked
package dev.inboxd.cli.mail;

import org.jspecify.annotations.NullMarked;
