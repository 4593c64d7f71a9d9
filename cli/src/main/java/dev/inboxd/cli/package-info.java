/** The command line: {@code serve}, and the operator's commands for organizations, keys, domains and the queue. */
@NullMarked
package dev.inboxd.cli;

import org.jspecify.annotations.NullMarked;
