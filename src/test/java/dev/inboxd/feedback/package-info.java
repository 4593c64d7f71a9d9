@NullMarked
package dev.inboxd.feedback;

import org.jspecify.annotations.NullMarked;
