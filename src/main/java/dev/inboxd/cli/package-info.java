/** To be described. */
@NullMarked
package dev.inboxd.cli;

import org.jspecify.annotations.NullMarked;
