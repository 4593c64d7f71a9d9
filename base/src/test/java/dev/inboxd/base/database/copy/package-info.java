@NullMarked
package dev.inboxd.base.database.copy;

import org.jspecify.annotations.NullMarked;
