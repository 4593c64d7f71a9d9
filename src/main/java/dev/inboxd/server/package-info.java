/** To be described. */
@NullMarked
package dev.inboxd.server;

import org.jspecify.annotations.NullMarked;
