"""The skills of the tools that buy and cancel, in words; each names the tool that shows what it would do."""

from mcp_server.skills import BUYING, OFFERED, Skill

ORDER_TRAIN_TICKETS = Skill(
    intent="order train tickets",
    kind="train",
    description="预订火车票：确认车次、席别、张数和价格后下单。",
    tags=("订火车票", "买火车票", "订高铁票", "买高铁票", "订动车票", "订车票", "买车票", "预订火车票"),
    examples=("订一张明天北京到上海的高铁票", "帮我买两张后天广州到长沙的二等座", "就订G1吧", "预订周五去杭州的动车"),
    quotes_with="query_train_tickets",
    needs=BUYING,
    yields=OFFERED,
)

ORDER_FLIGHT_TICKETS = Skill(
    intent="order flight tickets",
    kind="flight",
    description="预订机票：确认航班、舱位、张数和价格后下单。",
    tags=("订机票", "买机票", "订飞机票", "买飞机票", "订航班", "预订机票"),
    examples=("订一张明天北京到上海的机票", "买两张周末去三亚的经济舱", "帮我订CA1101", "预订大后天上海飞厦门的早班机"),
    quotes_with="query_flight_tickets",
    needs=BUYING,
    yields=OFFERED,
)

ORDER_CONCERT_TICKETS = Skill(
    intent="order concert tickets",
    kind="concert",
    description="预订演唱会门票：确认场次、区域、张数和价格后下单。",
    tags=("订演唱会门票", "买演唱会门票", "买演唱会票", "订演唱会票", "抢演唱会票"),
    examples=("订两张五月天演唱会的内场票", "买一张周杰伦上海演唱会的看台票", "帮我订北京周末的演唱会门票"),
    quotes_with="query_concert_tickets",
    needs=BUYING,
    yields=OFFERED,
)

ORDER_CAR_RENTAL = Skill(
    intent="order car rental",
    kind="car_rental",
    description="预订租车：确认城市、车型、取车日期、天数和总价后下单。",
    tags=("订车", "预订租车", "订租车", "订一辆车", "租车下单"),
    examples=("订一辆明天成都取车的七座车，租三天", "帮我订三亚的SUV", "就订那辆别克GL8"),
    quotes_with="query_car_rental",
    needs=BUYING,
    yields=OFFERED,
)

ORDER_TOUR_GROUP = Skill(
    intent="order tour group",
    kind="tour_group",
    description="报名跟团游：确认线路、出发日期、人数和价格后下单。",
    tags=("报团", "报名跟团游", "订跟团游", "预订旅行团", "订旅游团", "报个团"),
    examples=("报一个周六的成都一日游", "帮我订两位去云南的跟团游", "预订黄山三日游"),
    quotes_with="query_tour_group",
    needs=BUYING,
    yields=OFFERED,
)

ORDER_INSURANCE = Skill(
    intent="order insurance",
    kind="insurance",
    description="购买旅行保险：确认产品、天数、份数和价格后下单。",
    tags=("买保险", "买旅游险", "买旅行保险", "订保险", "投保", "买意外险"),
    examples=("买一份三亚五天的旅行保险", "给两个人买旅游意外险", "帮我投保航班延误险"),
    quotes_with="query_insurance",
    needs=BUYING,
    yields=OFFERED,
)

CANCEL_ORDER = Skill(
    intent="cancel order",
    kind="order",
    description="取消自己的订单并退回：车票、机票、门票、租车、跟团游和保险。",
    tags=("取消订单", "退票", "退订", "退单", "取消", "退掉"),
    examples=("取消我明天去上海的高铁票", "把机票退了", "取消订单", "演唱会的票不要了，退掉"),
    quotes_with="query_orders",
    needs={"order_id": "order_id"},
    yields=OFFERED,
)
