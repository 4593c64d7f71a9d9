/**
 * Traces and metrics for other programs, by OTLP over HTTP (decision 0069). Loaded only when the operator names an
 * endpoint.
 */
@NullMarked
package dev.inboxd.base.telemetry;

import org.jspecify.annotations.NullMarked;
