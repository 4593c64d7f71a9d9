/** Selecting from JSON on the command line: a language of a few signs, which knows nothing of the service. */
@NullMarked
package dev.inboxd.cli.query;

import org.jspecify.annotations.NullMarked;
