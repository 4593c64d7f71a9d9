/** To be described. */
@NullMarked
package dev.inboxd.inbound;

import org.jspecify.annotations.NullMarked;
