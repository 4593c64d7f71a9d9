/** To be described. */
@NullMarked
package dev.inboxd.notify;

import org.jspecify.annotations.NullMarked;
