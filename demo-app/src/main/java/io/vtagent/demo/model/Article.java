package io.vtagent.demo.model;

/** The articles whose claims the cases try out. */
public enum Article {
    PINNING("Virtual Thread Mechanics and the Pinning Problem"),
    EXPLORATION("Exploration of Java Virtual Threads and Performance Analysis");

    private final String title;

    Article(String title) {
        this.title = title;
    }

    public String title() {
        return title;
    }
}
