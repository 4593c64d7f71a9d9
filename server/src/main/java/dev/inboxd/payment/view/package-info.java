/** What was paid, as those see it who paid. */
@NullMarked
package dev.inboxd.payment.view;

import org.jspecify.annotations.NullMarked;
