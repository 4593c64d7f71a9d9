@NullMarked
package dev.inboxd.platform.database.copy;

import org.jspecify.annotations.NullMarked;
