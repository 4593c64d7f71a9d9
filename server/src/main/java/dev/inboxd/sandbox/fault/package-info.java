/** {@code /sandbox/faults}: what fails because somebody asked for it, in development (sandbox.md §6). */
@NullMarked
package dev.inboxd.sandbox.fault;

import org.jspecify.annotations.NullMarked;
