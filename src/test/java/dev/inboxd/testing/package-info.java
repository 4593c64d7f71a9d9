/** To be described. */
@NullMarked
package dev.inboxd.testing;

import org.jspecify.annotations.NullMarked;
