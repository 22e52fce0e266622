package com.example.articles;

import org.springframework.stereotype.Component;

@Component
public class Articles {
    public final String fetch() {
        return "an article";
    }
}
