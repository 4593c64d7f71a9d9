/**
 * {@code inboxd doctor}: checks of the settings, the database, the disk, the clock, the DNS, the ports and TLS before
 * or beside a running service. Nothing is changed.
 */
@NullMarked
package dev.inboxd.cli.doctor;

import org.jspecify.annotations.NullMarked;
