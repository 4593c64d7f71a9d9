@NullMarked
package dev.inboxd.sandbox.person;

import org.jspecify.annotations.NullMarked;
