package dev.inboxd.notify;

/**
 * What the settings say of webhooks.
 *
 * @param webhooks how many of them that are called one owner may have
 * @param pollingWebhooks how many of them that are fetched from one owner may have
 * @param deliveriesPerTarget deliveries under way to one host, at most
 */
public record WebhookConfig(int webhooks, int pollingWebhooks, int deliveriesPerTarget) {}
