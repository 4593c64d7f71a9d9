@NullMarked
package dev.inboxd.backup;

import org.jspecify.annotations.NullMarked;
