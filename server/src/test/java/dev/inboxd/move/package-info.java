@NullMarked
package dev.inboxd.move;

import org.jspecify.annotations.NullMarked;
