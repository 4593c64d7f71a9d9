/** Tests of lists. */
@NullMarked
package dev.inboxd.lists;

import org.jspecify.annotations.NullMarked;
