@NullMarked
package dev.inboxd.apikey;

import org.jspecify.annotations.NullMarked;
