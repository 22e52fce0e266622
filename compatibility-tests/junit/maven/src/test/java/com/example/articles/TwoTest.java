package com.example.articles;

import java.util.concurrent.CyclicBarrier;

class TwoTest extends BothTests {
    private static final CyclicBarrier TOGETHER = new CyclicBarrier(2);

    TwoTest() {
        super(TOGETHER);
    }
}
